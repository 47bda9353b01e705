// Types of mem.mjs. Records are those of mem-records(5), and may have more keys.
export interface Message {
  id?: string; session?: string; turn?: number; role?: string; name?: string; content: string;
  time?: string; project?: string; source_id?: string; [key: string]: unknown;
}
export interface Hit extends Message {
  rank: number; kind: string; p?: number; score: number; snippet?: string; why?: string[];
}
export interface Fact {
  id?: string; content: string; key?: string; kind?: string; bank?: string; importance?: number;
  valid_from?: string; valid_to?: string; sources?: object[]; [key: string]: unknown;
}
export interface Verdict { id?: string; did: string; why?: string; of?: string }
export interface Options {
  db?: string; user?: string; project?: string; agent?: string;
  /** The directory of the programs, with a slash at its end; else they are in PATH. */
  bin?: string;
}

/** A program failed: status is its exit status, see mem(7); output what it printed before. */
export class MemError extends Error { status: number; output: object[] }

export class Memory {
  constructor(options?: Options);
  /** The hits, best first; context is what was said before it, of which it may leave out. */
  search(question: string, options?: { limit?: number; context?: Message[] }): Promise<Hit[]>;
  /** A block for a prompt, within so many tokens (1000); "" when nothing is known. */
  context(question: string, budget?: number): Promise<string>;
  /** Stores what was said; what is stored already is not stored twice. */
  add(messages: Message[]): Promise<Message[]>;
  /** Stores facts, compared with what is known; fields are those of each of them. */
  remember(facts: (string | Fact)[], fields?: Partial<Fact>): Promise<Verdict[]>;
  /** What holds; options are those of mem-list(1): "--key", "home". */
  facts(...options: string[]): Promise<Fact[]>;
  /** Ends the program that answers questions. */
  close(): void;
}

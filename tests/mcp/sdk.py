#!/usr/bin/env python3
"""sdk.py: mem-mcp as the official SDK of the protocol sees it (PyPI's "mcp", 1.x or 2.x).

usage: sdk.py MEM-MCP STORE [MODE]; MODE, of 2.x: auto, legacy or a version. Every tool, resource
and prompt, progress, cancellation, pages and errors. STORE has the session of tests/mcp/run.
Prints TAP.
"""
import sys

import anyio
from mcp import StdioServerParameters

server, store, mode = sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None
n_tests = n_failed = 0


def check(name, holds, seen=None):
    global n_tests, n_failed
    n_tests += 1
    n_failed += not holds
    print(f'{"ok" if holds else "not ok"} {n_tests} - {name}')
    if not holds:
        print(f'# {seen!r}', file=sys.stderr)


def member(of, name):
    """The member by its name in 2.x (some_name), or as the protocol spells it (someName)."""
    if hasattr(of, name):
        return getattr(of, name)
    first, *rest = name.split('_')
    return getattr(of, first + ''.join(word.title() for word in rest))


async def refuses(call, code):
    try:
        await call
    except Exception as e:
        found = getattr(getattr(e, 'error', e), 'code', None)
        return found == code
    return False


async def tools(client):
    names = [t.name for t in (await client.list_tools()).tools]
    check('lists the tools', set(names) == {'recall', 'timeline', 'remember', 'facts', 'forget',
                                            'blame', 'how', 'fix'}, names)
    r = await client.call_tool('recall', {'question': 'which kayak did Jonas buy'})
    hits = member(r, 'structured_content')['hits']
    check('recall finds', hits and 'The green one.' in r.content[0].text, r)
    check('recall fences', r.content[0].text.startswith('<mem-context '), r.content)
    r = await client.call_tool('timeline', {'id': hits[0]['id'], 'before': 1, 'after': 1})
    check('timeline shows', len(member(r, 'structured_content')['items']) >= 2, r)
    r = await client.call_tool('remember', {'texts': ['The boat house is in Spiez'],
                                            'key': 'boat house'})
    check('remember stores', not member(r, 'is_error'), r)
    r = await client.call_tool('remember', {'texts': ['The boat house is in Spiez', ' ']})
    r = member(r, 'structured_content')
    check('what is known and what is empty fit the schema', r['known'] == 1 and len(r['refused'])
          == 1, r)
    r = await client.call_tool('facts', {'key': 'boat house'})
    facts = member(r, 'structured_content')['facts']
    check('facts lists it', len(facts) == 1 and 'Spiez' in r.content[0].text, r)
    for name, arguments in (('blame', {'path': 'oar.c'}), ('how', {'command': 'make'}),
                            ('fix', {'error': 'error: no oar is here'})):
        r = await client.call_tool(name, arguments)
        work = member(r, 'structured_content')['work']
        check(f'{name} finds', len(work) == 1 and 'oar' in r.content[0].text, r)
    r = await client.call_tool('forget', {'ids': [hits[0]['id']]})
    dry = member(r, 'structured_content')
    r = await client.call_tool('recall', {'question': 'which kayak did Jonas buy'})
    there = [h['id'] for h in member(r, 'structured_content')['hits']]
    check('forget only says what would go', not member(r, 'is_error') and hits[0]['id'] in there,
          (dry, there))
    r = await client.call_tool('recall', {'question': 7})
    check('a wrong type is an error that the model reads', member(r, 'is_error'), r)
    check('an unknown tool', await refuses(client.call_tool('nix', {}), -32602))


async def progress_and_cancellation(client):
    seen = []

    async def tell(done, total, message):
        seen.append((done, total))

    texts = [f'Shelf {i} of the boat house holds the paddle number {i * 7}' for i in range(100)]
    await client.call_tool('remember', {'texts': texts}, progress_callback=tell)
    check('tells how far it is', len(seen) >= 2 and seen == sorted(seen) and seen[-1][1] == 100,
          seen)
    with anyio.move_on_after(60) as scope:
        async def stop(done, total, message):
            scope.cancel()

        texts = [f'Drawer {i} of the oak desk holds letter {i * 3}' for i in range(1000)]
        await client.call_tool('remember', {'texts': texts, 'type': 'note'},
                               progress_callback=stop)
    check('a call is cancelled', scope.cancelled_caught)
    r = await client.call_tool('recall', {'question': 'drawer of the oak desk', 'limit': 1})
    check('and the next one answered', not member(r, 'is_error'), r)


async def resources_and_prompts(client):
    found, cursor, pages = [], None, 0
    while pages == 0 or cursor:
        r = await client.list_resources(cursor=cursor) if cursor else await client.list_resources()
        found += [str(v.uri) for v in r.resources]
        cursor, pages = member(r, 'next_cursor'), pages + 1
    check('lists the sessions, a page at a time',
          pages == 2 and len(set(found)) == len(found) == 121, (pages, len(found)))
    check('templates', len(member(await client.list_resource_templates(),
                                  'resource_templates')) == 2)
    r = await client.read_resource('mem://session/late')
    check('reads a session', 'The green one.' in r.contents[0].text, r)
    check('no such resource', await refuses(client.read_resource('mem://session/nix'),
                                            -32002) or
          await refuses(client.read_resource('mem://session/nix'), -32602))
    check('lists the prompts', [p.name for p in (await client.list_prompts()).prompts] ==
          ['recall', 'handoff'])
    r = await client.get_prompt('recall', {'question': 'kayak'})
    check('prompt recall', 'kayak' in r.messages[0].content.text, r)
    r = await client.get_prompt('handoff', {'session': 'late'})
    check('prompt handoff', 'The green one.' in r.messages[0].content.text, r)
    check('a prompt without its argument', await refuses(client.get_prompt('recall', {}), -32602))


async def run(client):
    await tools(client)
    await progress_and_cancellation(client)
    await resources_and_prompts(client)


async def main():
    parameters = StdioServerParameters(command=server, args=['-d', store])
    if mode is None:
        from mcp import ClientSession
        from mcp.client.stdio import stdio_client
        async with stdio_client(parameters) as streams, ClientSession(*streams) as client:
            await client.initialize()
            await run(client)
    else:
        from mcp import Client
        async with Client(parameters, mode=mode) as client:
            await run(client)


anyio.run(main)
print(f'1..{n_tests}')
sys.exit(n_failed > 0)

# What the lines of a log of changes make of a document (lib/ingest/change_log.c). What does not fit it
# is counted, and all else is done. A place in a list is one that it has, or the next: any other would
# make it as long as it says.
def fits($k): . as $doc | all(range($k | length); . as $i | ($k[$i] | type) != "number"
 or ($k[$i] >= 0 and $k[$i] <= ($doc | getpath($k[:$i]) // [] | length)));
reduce .[] as $e ({doc: null, lost: 0};
 try (if $e.kind == 0 then .doc = $e.v
  elif .doc | fits($e.k) | not then .lost += 1
  elif $e.kind == 1 then .doc |= setpath($e.k; $e.v)
  elif $e.kind == 2 then .doc |= setpath($e.k; ((getpath($e.k) // [])
    | if $e.i then .[:$e.i] else . end) + ($e.v // []))
  elif $e.kind == 3 then .doc |= delpaths([$e.k])
  else .lost += 1 end) catch null // (.lost += 1))

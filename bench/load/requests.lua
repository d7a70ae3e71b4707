-- Sends the requests of a file, one a line (method, path, body), round and round. Says when it has read them, and
-- prints what came of them as JSON.
local requests, at = {}, 0

function init(words)
  for line in io.lines(words[1]) do
    local method, path, body = line:match('^(%S+) (%S+) ?(.*)$')
    requests[#requests + 1] = wrk.format(method, path, nil, body ~= '' and body or nil)
  end
  io.stderr:write('loading\n')
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary)
  local errors = summary.errors
  local lost = errors.connect + errors.read + errors.write + errors.timeout
  print(string.format('{"answered":%d,"seconds":%f,"lost":%d,"refused":%d}',
    summary.requests, summary.duration / 1e6, lost, errors.status))
end

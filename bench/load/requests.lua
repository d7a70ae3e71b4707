-- Sends the requests of a file, one a line (method, path, body, then names and values of headers, between tabs), round
-- and round. Says when it has read them, and prints what came of them as JSON.
local requests, at = {}, 0

local function parts(line)
  local all = {}
  for part in (line .. '\t'):gmatch('([^\t]*)\t') do all[#all + 1] = part end
  return all
end

function init(words)
  for line in io.lines(words[1]) do
    local given, headers = parts(line), {}
    for name = 4, #given, 2 do headers[given[name]] = given[name + 1] end
    local body = given[3] ~= '' and given[3] or nil
    requests[#requests + 1] = wrk.format(given[1], given[2], headers, body)
  end
  io.stderr:write('loading\n')
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local errors = summary.errors
  local lost = errors.connect + errors.read + errors.write + errors.timeout
  print(string.format('{"answered":%d,"seconds":%f,"lost":%d,"refused":%d,"p50":%f,"p99":%f}',
    summary.requests, summary.duration / 1e6, lost, errors.status,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end

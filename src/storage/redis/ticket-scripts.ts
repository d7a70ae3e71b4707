import { script } from './script.ts';

/**
 * Ticket, what is known of its user, and the generation: all that a validation asks for, in one trip. While the slot is
 * being moved, user and generation may be gone ahead of the ticket: then they are missing here.
 */
export const FIND = script(
  `local kept = redis.call('GET', KEYS[1])
local user = kept and string.match(kept, '^(%d+) ')
if not user then return false end
local function remembered(key)
  local value = redis.pcall('GET', ARGV[1] .. key)
  return type(value) == 'string' and value
end
return {kept, remembered('u' .. user), remembered('g')}`,
  'reads',
);

/**
 * Ends a ticket, when memory is full too. A mark stands in its place for a while, so that whoever bears the ticket knows
 * that it was ended, not lost. An end that is tried again writes again, since replicas are waited for after a write only.
 */
export const END = script(
  `#!lua flags=allow-oom
return redis.call('SET', KEYS[1], 'x', 'PX', ARGV[1])`,
);

/** Lets an unborn ticket live: 1 when it does, 0 when it was ended meanwhile, -1 when it is lost. Writes again as {@link END}. */
export const BEAR = script(
  `local kept = redis.call('GET', KEYS[1])
if kept == 'x' then return 0 end
if kept ~= ARGV[1] and kept ~= '?' .. ARGV[1] then return -1 end
if ARGV[2] == '0' then redis.call('SET', KEYS[1], ARGV[1])
else redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
return 1`,
);

/** Moves a use forward. Values: to when, the time now, idle and age limit (-1 for none), and the grace. */
export const USE = script(
  `local kept = redis.call('GET', KEYS[1])
local head, issued, used = string.match(kept or '', '^(%d+ %d+ %d+ )(%-?%d+) (%-?%d+)$')
if not head or tonumber(used) >= tonumber(ARGV[1]) then return 0 end
local now, idle, age, grace = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
if idle < 0 then idle = math.huge end
if age < 0 then age = math.huge end
local record = head .. issued .. ' ' .. ARGV[1]
local ends = math.min(tonumber(ARGV[1]) + idle, tonumber(issued) + age)
if ends == math.huge then redis.call('SET', KEYS[1], record)
else redis.call('SET', KEYS[1], record, 'PX', string.format('%.0f', math.max(1, ends - now + grace))) end
return 1`,
);

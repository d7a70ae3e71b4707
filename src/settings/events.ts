import { anyText, duration, oneOf } from './parsers.ts';
import { type Plain, type Setting, setting } from './setting.ts';

/** The settings of events. */
export const EVENTS = {
  eventsKeep: setting(duration, 'P90D', 'How long events are kept.'),
  audit: setting(
    oneOf('best-effort', 'required'),
    'best-effort',
    'What a login or a log-out does whose event cannot be written. best-effort: it happens; required: it is answered 503.',
  ),
  webhooks: setting(
    anyText,
    '',
    'Document of the receivers of webhooks, which events are delivered to; empty: none.',
  ),
} satisfies Record<string, Setting<Plain>>;

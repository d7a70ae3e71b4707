import { anyText, duration, oneOf } from '../../core/settings/parsers.ts';
import { type Plain, type Setting, setting } from '../../core/settings/setting.ts';

/** The settings of events. */
export const EVENTS = {
  eventsKeep: setting(duration, 'P90D', 'How long events are kept.'),
  audit: setting(
    oneOf('best-effort', 'required'),
    'best-effort',
    'How a login or a log-out ends if its event cannot be written. best-effort: it happens; required: it is answered 503.',
  ),
  webhooks: setting(anyText, '', 'Document that names the receivers of events by webhooks; empty: none.'),
} satisfies Record<string, Setting<Plain>>;

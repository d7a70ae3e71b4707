import { createHash } from 'node:crypto';

/** The style of all pages: no font and no picture from another host, wide tables scroll by themselves (on paper they are set smaller), dark if the reader prefers that. */
export const STYLE = `:root{color-scheme:light dark;--text:#222;--page:#fff;--line:#d5d5d5;--soft:#f3f4f6;--link:#0a4fa8}
@media(prefers-color-scheme:dark){:root{--text:#ddd;--page:#181818;--line:#444;--soft:#242628;--link:#8ab8ff}}
body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem;color:var(--text);background:var(--page)}
body.wide{max-width:64rem;margin:2rem auto}
h1{font-size:1.5rem}h2{font-size:1.2rem;margin:2rem 0 .5rem}h3{font-size:1rem;margin:1rem 0 .25rem}
h1,h2,h3,dd{overflow-wrap:anywhere}
a{color:var(--link)}nav a{display:inline-block;margin-right:1rem}dt{font-weight:600}dd{margin:0 0 .75rem}
main>section code,main>section pre{font:.875rem/1.5 ui-monospace,monospace}main>section a code{white-space:nowrap}
main>section pre{padding:.75rem;background:var(--soft);overflow-x:auto}.table{overflow-x:auto}
.table table{border-collapse:collapse;width:100%}
.table th,.table td{padding:.4rem .75rem .4rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
@media print{.table{font-size:.7rem}.table th,.table td{padding-right:.4rem}main>section td code{font-size:.65rem}main>section td>code{overflow-wrap:anywhere}main>section pre{white-space:pre-wrap;overflow-wrap:anywhere}}`;

const hash = createHash('sha256').update(STYLE).digest('base64');

/** The policy of pages (CSP, W3C): they may load their own style, and nothing else. */
export const PAGE_POLICY = `default-src 'none';style-src 'sha256-${hash}';base-uri 'none';form-action 'none';frame-ancestors 'none'`;

/** The policy of a page with a script: it may load from this service alone; the style may hold pictures. */
export const SCRIPT_POLICY =
  "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;connect-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'";

import { type Html, html } from '../html.ts';

/** The lines of each icon, in a square of 24. */
const LINES = {
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21a8 8 0 0 1 16 0',
  actions: 'M13 3 5 14h6l-1 7 8-11h-6z',
  add: 'M12 5v14M5 12h14',
  apiKeys: 'M14 9a5 5 0 1 0-5 5 5 5 0 0 0 5-5zM12.5 12.5 21 21M17 17l2-2',
  applications: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z',
  bad: 'M6 6l12 12M18 6 6 18',
  clients: 'M3 5h18v11H3zM8 20h8M12 16v4',
  console: 'M3 5h18v14H3zM7 9l3 3-3 3M12 15h5',
  directory: 'M5 4h14v16H5zM9 4v16M12 9h4M12 13h4',
  download: 'M12 4v11M7 11l5 5 5-5M4 20h16',
  events: 'M4 6h1M4 12h1M4 18h1M9 6h11M9 12h11M9 18h11',
  gate: 'M4 21V5h16v16M9 21V9h6v12M2 21h20',
  good: 'M5 13l4 4L19 7',
  groups:
    'M12 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM5 21a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM19 21a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM12 8v4M5 16v-4h14v4',
  lockOuts: 'M5 11h14v10H5zM8 11V8a4 4 0 0 1 8 0v3',
  mail: 'M3 6h18v12H3zM3 7l9 6 9-6',
  providers: 'M12 3 4 6v6c0 5 4 8 8 9 4-1 8-4 8-9V6zM9 12l2 2 4-4',
  settings: 'M4 7h10M18 7h2M16 5v4M4 17h2M10 17h10M8 15v4',
  signOut: 'M10 4H5v16h5M15 8l4 4-4 4M19 12H9',
  start: 'M4 11 12 4l8 7M6 10v10h12V10',
  tickets: 'M3 7h18v3a2 2 0 0 0 0 4v3H3v-3a2 2 0 0 0 0-4zM14 7v2M14 11v2M14 15v2',
  users:
    'M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM2 21a7 7 0 0 1 14 0M16 3.5a4 4 0 0 1 0 7M18 14.5a7 7 0 0 1 4 6.5',
  webhooks: 'M4 12h9M9 8l4 4-4 4M16 5h4v14h-4',
  warning: 'M12 4 2.5 20h19zM12 10v5M12 17.5v.5',
} as const;

/** The name of an icon. */
export type IconName = keyof typeof LINES;

export const ICON_NAMES = Object.keys(LINES) as IconName[];

/** An icon beside a text that says the same: screen readers pass over it. */
export const icon = (name: IconName): Html =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${LINES[name]}"/></svg>`;

import { type Html, html } from '../html.ts';

/** Modules of white around the code (ISO/IEC 18004). */
const BORDER = 4;

/** The dark modules of a row, as parts of a path: one for each run. */
function runsOf(row: readonly boolean[], y: number): string {
  let path = '';
  for (let x = 0; x < row.length; x += 1) {
    if (!row[x]) continue;
    const from = x;
    while (row[x + 1]) x += 1;
    path += `M${from} ${y}h${x - from + 1}v1H${from}z`;
  }
  return path;
}

/** A QR code of this text, as a picture in the page. `label` is its text for screen readers. */
export async function qrCode(text: string, label: string): Promise<Html> {
  const { encodeQR } = await import('qr');
  const rows = encodeQR(text, 'raw', { border: BORDER });
  const size = rows.length;
  // Black on white in the dark scheme too, or cameras do not find it.
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${rows.map(runsOf).join('')}" fill="#000"/></svg>`;
}

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { CompressedBody } from './answer.ts';

/** A text that a page loads: a script, a style or a picture. */
export interface Asset {
  readonly text: string;
  /** Identifies the text: a different text has a different tag. */
  readonly tag: string;
  /** The text in each content coding. Compressed once. */
  compressed(): Promise<CompressedBody>;
}

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Quality of Brotli. The highest one makes a script a tenth smaller, but takes ten times as long. */
const QUALITY = 9;

/** Compresses in Node's thread pool, so that other requests do not wait. */
async function compress(text: string): Promise<CompressedBody> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY };
  const [br, gzipped] = await Promise.all([toBrotli(text, { params }), toGzip(text)]);
  return { br, gzip: gzipped };
}

/** Makes the asset when it is first needed, and keeps it. */
export function assetOnce(make: () => string): () => Asset {
  let asset: Asset | undefined;
  return () => {
    if (asset !== undefined) return asset;
    const text = make();
    const tag = createHash('sha256').update(text).digest('hex').slice(0, 16);
    let compressed: Promise<CompressedBody> | undefined;
    asset = {
      text,
      tag,
      compressed() {
        compressed ??= compress(text);
        return compressed;
      },
    };
    return asset;
  };
}

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { CompressedBody } from '../../answer.ts';
import { STYLE } from '../../http/formats.ts';

/** A script or style that the reference page loads. */
export interface Asset {
  readonly text: string;
  /** Identifies the text: a different text has a different tag. */
  readonly tag: string;
  /** The text in each content coding. Compressed once. */
  compressed(): Promise<CompressedBody>;
}

/** The id of the element that shows the reference. */
export const WITHIN = 'reference';

/**
 * Shows the OpenAPI document beside the page, in dark colours if the browser prefers them, and loads nothing from
 * elsewhere. Requests that the user tries say that a script sends them: over plain HTTP browsers do not say so, and a
 * 401 would open their login box.
 */
const START = `
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
const requestInterceptor = (request) => {
  request.headers['X-Requested-With'] = 'XMLHttpRequest';
  return request;
};
SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#${WITHIN}',
  deepLinking: true,
  validatorUrl: null,
  requestInterceptor,
  showMutatedRequest: false,
});
`;

/** A file of the package, without its reference to a source map, which is not served. */
function fileOf(name: 'swagger-ui-bundle.js' | 'swagger-ui.css'): string {
  const text = readFileSync(fileURLToPath(import.meta.resolve(`@fastify/swagger-ui/static/${name}`)), 'utf8');
  return text.replace(/\n\/[/*]# sourceMappingURL=.*$/, '\n');
}

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Quality of Brotli. The highest one makes the script a tenth smaller, but takes ten times as long. */
const QUALITY = 9;

/** Compresses in Node's thread pool, so that other requests do not wait. */
async function compress(text: string): Promise<CompressedBody> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY };
  const [br, gzipped] = await Promise.all([toBrotli(text, { params }), toGzip(text)]);
  return { br, gzip: gzipped };
}

/** Makes the asset when it is first needed, and keeps it. */
function once(make: () => string): () => Asset {
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

/** The script of the reference: the package's bundle, and the code that starts it. */
export const referenceScript = once(() => fileOf('swagger-ui-bundle.js') + START);

/** The style of the reference: the style of all pages, and the package's. */
export const referenceStyle = once(() => `${STYLE}\n${fileOf('swagger-ui.css')}`);

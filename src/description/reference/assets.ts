import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { STYLE } from '../../http/page-style.ts';
import type { CompressedBody } from '../../operation.ts';

/** A text that the page of the reference loads. */
export interface Asset {
  readonly text: string;
  /** Names the text: another text has another tag. */
  readonly tag: string;
  /** The text in content codings, made once. */
  compressed(): Promise<CompressedBody>;
}

/** The element that the reference is shown in. */
export const WITHIN = 'reference';

/**
 * Shows the document that lies beside the page; dark where that is liked, and nothing is asked elsewhere. What is tried
 * says that a script asks: without TLS browsers do not, and would open their log-in box at a 401.
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

/** A file of the package; it names a map that is not served. */
function fileOf(name: 'swagger-ui-bundle.js' | 'swagger-ui.css'): string {
  const text = readFileSync(fileURLToPath(import.meta.resolve(`@fastify/swagger-ui/static/${name}`)), 'utf8');
  return text.replace(/\n\/[/*]# sourceMappingURL=.*$/, '\n');
}

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Brotli's quality: the highest one makes the script a tenth smaller, and takes ten times as long. */
const QUALITY = 9;

/** Compresses in threads of Node's pool, so that others need not wait. */
async function compress(text: string): Promise<CompressedBody> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY };
  const [br, gzipped] = await Promise.all([toBrotli(text, { params }), toGzip(text)]);
  return { br, gzip: gzipped };
}

/** What is made once, when it is first asked for. */
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

/** The script of the reference: the package's bundle, and the line that starts it. */
export const referenceScript = once(() => fileOf('swagger-ui-bundle.js') + START);

/** The style of the reference: that of all pages, and the package's. */
export const referenceStyle = once(() => `${STYLE}\n${fileOf('swagger-ui.css')}`);

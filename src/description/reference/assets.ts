import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { STYLE } from '../../http/formats/style.ts';

/** A text that the page of the reference loads. */
export interface Asset {
  readonly text: string;
  /** Names the text: another text has another tag. */
  readonly tag: string;
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

/** What is made once, when it is first asked for. */
function once(make: () => string): () => Asset {
  let asset: Asset | undefined;
  return () => {
    if (asset !== undefined) return asset;
    const text = make();
    asset = { text, tag: createHash('sha256').update(text).digest('hex').slice(0, 16) };
    return asset;
  };
}

/** The script of the reference: the package's bundle, and the line that starts it. */
export const referenceScript = once(() => fileOf('swagger-ui-bundle.js') + START);

/** The style of the reference: that of all pages, and the package's. */
export const referenceStyle = once(() => `${STYLE}\n${fileOf('swagger-ui.css')}`);

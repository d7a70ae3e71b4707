import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { assetOnce } from '../../../core/asset.ts';
import { STYLE } from '../../../core/http/formats.ts';

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

/** The script of the reference: the package's bundle, and the code that starts it. */
export const referenceScript = assetOnce(() => fileOf('swagger-ui-bundle.js') + START);

/** The style of the reference: the style of all pages, and the package's. */
export const referenceStyle = assetOnce(() => `${STYLE}\n${fileOf('swagger-ui.css')}`);

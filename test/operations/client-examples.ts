import type { TestService } from '../service/start.ts';
import { basic } from '../service/talk.ts';
import type { Example } from './examples.ts';

/** A client's request with this form in its body. */
export async function asClient(
  { addClient }: TestService,
  path: string,
  form: readonly [string, string][] | string,
): Promise<Example> {
  const headers = basic(`gateway:${await addClient('gateway')}`);
  const body = typeof form === 'string' ? form : new URLSearchParams([...form]).toString();
  return { path, init: { method: 'POST', headers, body } };
}

/** What a form of these operations can be refused for. */
export const tokenRefused = (path: string) => ({
  form_unreadable: (service: TestService) => asClient(service, path, 'token=a&token=a'),
  token_missing: (service: TestService) => asClient(service, path, 'token=&token_type_hint=access_token'),
  client_secret_in_body: (service: TestService) => asClient(service, path, 'token=a&client_secret=b'),
});

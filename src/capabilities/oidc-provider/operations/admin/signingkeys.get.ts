import { ADMIN } from '../../../../core/api.ts';
import { answer, operation } from '../../../../core/operation.ts';
import { signingKeysShown } from '../../representations/signing-keys.ts';
import { tokenKeys } from '../../signing-keys.ts';

/** Specification, section 16: list the keys that sign tokens. */
export default operation({
  id: 'org/service/repository/admin/signingkeys.get',
  summary:
    'List the keys that sign tokens for applications, and those that are still published, oldest first.',
  lifecycle: 'public_api',
  family: 'Administration',
  api: ADMIN,
  method: 'GET',
  paths: ['/api/admin/signing-keys'],
  authentication: 'admin',
  role: 'operator',
  transaction: 'required',
  access: 'read',
  formatStyle: 'argument',
  defaultFormat: 'json',
  input: {},
  output: signingKeysShown,
  refusals: [],
  perform: async ({ store }) => answer(await tokenKeys(store)),
});

import { adminOperation, answer } from '../../../../core/operation.ts';
import { signingKeysShown } from '../../representations/signing-keys.ts';
import { tokenKeys } from '../../signing-keys.ts';

/** Specification, section 16: list the keys that sign tokens. */
export default adminOperation({
  id: 'org/service/repository/admin/signingkeys.get',
  summary:
    'List the keys that sign tokens for applications, and those that are still published, oldest first.',
  method: 'GET',
  paths: ['/api/admin/signing-keys'],
  role: 'operator',
  input: {},
  output: signingKeysShown,
  refusals: [],
  perform: async ({ store }) => answer(await tokenKeys(store)),
});

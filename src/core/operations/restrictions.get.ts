import { answer, operation } from '../operation.ts';
import type { Representation } from '../representations/representation.ts';
import { Type } from '../schema.ts';
import { asGuest } from './touch.get.ts';

const RESTRICTIONS = {
  lastUpdate: null,
  users: null,
  documents: null,
  licenseMode: 'UNKNOWN',
  readOnly: false,
  updated: false,
  licenseValidUntil: null,
  licenseHolder: '',
  level: 0,
  warnings: [],
  errors: [],
} as const;

function line([name, value]: readonly [string, unknown]): string {
  return `   "${name}"${Array.isArray(value) ? '' : ' '}: ${JSON.stringify(value)}`;
}

const nothing = Type.Null();
const texts = Type.Array(Type.String());

/** The restrictions in the order and the layout of the reference. */
const restrictionsShown = {
  schema: Type.Object({
    lastUpdate: nothing,
    users: nothing,
    documents: nothing,
    licenseMode: Type.Literal('UNKNOWN'),
    readOnly: Type.Boolean(),
    updated: Type.Boolean(),
    licenseValidUntil: nothing,
    licenseHolder: Type.String(),
    level: Type.Integer(),
    warnings: texts,
    errors: texts,
  }),
  json: (restrictions) => restrictions,
  jsonText: (restrictions) => `{\n${Object.entries(restrictions).map(line).join(',\n')}\n}\n`,
} satisfies Representation<typeof RESTRICTIONS>;

/** Specification, section 12: what a license restricts, which is nothing here. Share asks before it lets anybody in. */
export default operation({
  id: 'org/service/repository/restrictions.get',
  summary: 'Tell what a license restricts: nothing.',
  lifecycle: 'public_api',
  family: 'Server',
  method: 'GET',
  paths: ['/api/admin/restrictions'],
  authentication: 'guest',
  transaction: 'required',
  access: 'read',
  formatStyle: 'argument',
  defaultFormat: 'json',
  input: { query: asGuest },
  output: restrictionsShown,
  refusals: [],
  perform: () => answer(RESTRICTIONS),
});

import type { ShownSetting } from '../../../../core/domain/running-service.ts';
import { adminOperation, answer } from '../../../../core/operation.ts';
import type { Representation } from '../../../../core/representations/representation.ts';
import { Type } from '../../../../core/schema.ts';

const settingsShown = {
  schema: Type.Object({
    items: Type.Array(
      Type.Object(
        {
          setting: Type.String({ description: 'Its environment variable.' }),
          value: Type.String({ description: 'As it was written; *** if it is secret.' }),
          from: Type.String({ description: 'Where it was given.' }),
        },
        { title: 'Setting' },
      ),
    ),
  }),
  json: (settings) => ({
    items: settings.map(({ name, value, from }) => ({ setting: name, value, from })),
  }),
} satisfies Representation<readonly ShownSetting[]>;

/** Specification, section 16: the settings in force. */
export default adminOperation({
  id: 'org/service/repository/admin/settings.get',
  summary: 'Show the settings in force and the source of each. Secrets are masked.',
  method: 'GET',
  paths: ['/api/admin/settings'],
  role: 'operator',
  input: {},
  output: settingsShown,
  refusals: [],
  perform: ({ service }) => answer(service.settings),
});

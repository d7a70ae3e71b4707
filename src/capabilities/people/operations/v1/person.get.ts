import { V1_CALL } from '../../../../core/api.ts';
import { refuse } from '../../../../core/domain/refusal.ts';
import { maskedIfTicket } from '../../../../core/domain/ticket.ts';
import { answer, operation } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { v1PersonShown } from '../../representations/v1/person.ts';
import { type PersonContext, visiblePerson } from '../people/person.get.ts';

/** The id in the path of an operation of the v1 API about one person. */
export const personId = Type.String({
  description: '-me- or the own name for the caller, or the name of another user whom the caller may see.',
  examples: ['alice'],
});

/** The person of this id, if the caller may see it. `-me-`, in any case, is the caller. */
export function personOf(id: string, context: PersonContext): ReturnType<typeof visiblePerson> {
  return visiblePerson(id.toLowerCase() === '-me-' ? context.caller.user.name : id, context);
}

/** Specification, section 12: the profile of a user. */
export default operation({
  id: 'org/service/repository/v1/person.get',
  summary: 'Show the profile of a user, by the v1 API.',
  family: 'People',
  ...V1_CALL,
  method: 'GET',
  paths: ['/alfresco/versions/1/people/{personId}'],
  authentication: 'user',
  access: 'read',
  input: { path: Type.Object({ personId }) },
  output: v1PersonShown,
  refusals: ['person_not_found'],
  async perform({ input, ...context }) {
    const id = input.path.personId;
    const found = await personOf(id, context);
    return found ? answer(found.person) : refuse('person_not_found', { detail: maskedIfTicket(id) });
  },
});

import { type GroupSeen, wireNameOf } from '../../../../core/domain/group.ts';
import type { ListPage } from '../../../../core/domain/list-page.ts';
import type { Representation } from '../../../../core/representations/representation.ts';
import { listSchema, listShown } from '../../../../core/representations/v1/list.ts';
import { Type } from '../../../../core/schema.ts';

/** A group of the v1 API. `parentIds` are the names on the wire of the groups that contain it, if they are asked for. */
export type V1Group = GroupSeen & { readonly parentIds?: readonly string[] | undefined };

const groupSchema = Type.Object({
  id: Type.String(),
  displayName: Type.String(),
  isRoot: Type.Boolean(),
  parentIds: Type.Optional(Type.Array(Type.String())),
});

const json = ({ name, displayName, root, parentIds }: V1Group) => ({
  id: wireNameOf({ name }),
  displayName,
  isRoot: root,
  parentIds,
});

export const v1GroupShown: Representation<V1Group> = {
  schema: Type.Object({ entry: groupSchema }),
  json: (group) => ({ entry: json(group) }),
};

export const v1GroupsShown: Representation<ListPage<V1Group>> = {
  schema: listSchema(groupSchema),
  json: (page) => listShown(page, json),
};

/** A member of a group, by its user name or by its name on the wire. */
export interface V1Member {
  readonly id: string;
  readonly displayName: string;
  readonly memberType: 'PERSON' | 'GROUP';
}

const memberSchema = Type.Object({
  id: Type.String(),
  displayName: Type.String(),
  memberType: Type.String(),
});

export const v1MemberShown: Representation<V1Member> = {
  schema: Type.Object({ entry: memberSchema }),
  json: (member) => ({ entry: member }),
};

export const v1MembersShown: Representation<ListPage<V1Member>> = {
  schema: listSchema(memberSchema),
  json: (page) => listShown(page, (member) => member),
};

import type { AnyOperation } from '../../../../core/operation.ts';
import changes from './changes.ts';
import groupGet from './group.get.ts';
import formPages from './group-form.ts';
import groupsGet from './groups.get.ts';

/** The pages about groups. */
export const GROUP_PAGES: readonly AnyOperation[] = [groupsGet, groupGet, ...formPages, ...changes];

import type { AnyOperation } from '../../core/operation.ts';
import actiondefGet from './operations/rule/actiondef.get.ts';
import actiondefinitionsGet from './operations/rule/actiondefinitions.get.ts';
import actiondefsGet from './operations/rule/actiondefs.get.ts';
import conditionsGet from './operations/rule/conditions.get.ts';
import constraintGet from './operations/rule/constraint.get.ts';
import constraintsGet from './operations/rule/constraints.get.ts';
import ruletypesGet from './operations/rule/ruletypes.get.ts';
import validatePost from './operations/rule/validate.post.ts';
import v1ActiondefinitionGet from './operations/v1/actiondefinition.get.ts';
import v1ActiondefinitionsGet from './operations/v1/actiondefinitions.get.ts';
import v1ConstraintGet from './operations/v1/constraint.get.ts';

/** The operations of this capability that the description of the service shows. */
export const OPERATIONS: readonly AnyOperation[] = [
  actiondefsGet,
  actiondefGet,
  validatePost,
  actiondefinitionsGet,
  constraintsGet,
  constraintGet,
  conditionsGet,
  ruletypesGet,
  v1ActiondefinitionsGet,
  v1ActiondefinitionGet,
  v1ConstraintGet,
];

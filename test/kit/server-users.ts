import { passwordOf, type Right } from '../../src/adapters/telemetry/rights/engine-users.ts';
import {
  serverUserName,
  userStatements,
} from '../../src/adapters/telemetry/rights/user-statements.ts';

export const userSecret = () => 'a secret';

/**
 * A user of a ClickHouse server as Sightline would make it. The build of the test server has no place
 * for users that are created with SQL, so they are in its file of users, with the grants of the very
 * statements, which the file takes without the name of the user.
 */
export function madeUser(right: Right, database?: string) {
  const user = serverUserName({ right, database });
  const { grants } = userStatements({ right, database }, userSecret(), '');
  const list = grants.map(({ statement }) => statement.replace(/ TO `?sightline_\w+`?$/, ''));
  return {
    user,
    password: passwordOf(userSecret(), user),
    grants: list.length > 0 ? list : ['GRANT SELECT ON system.one'],
  };
}

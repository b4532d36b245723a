import { createHash } from 'node:crypto';
import { identifier, literal } from '../../../sql/sql.ts';
import { grantsOf, passwordOf, userOf, type Right } from './engine-users.ts';

export interface ServerUser {
  right: Right;
  /** Undefined: the user for statements that name no database. */
  database: string | undefined;
}

export interface UserStatements {
  /** Makes the user, and sets its password. */
  make: string[];
  grants: Grant[];
}

interface Grant {
  statement: string;
  /** For servers that do not know the statement; undefined: they ask for no such right. */
  before: string | undefined;
}

/** The name tells whose user it is in the server's own lists. */
export const serverUserName = ({ right, database }: ServerUser): string =>
  `sightline_${userOf(right, database)}`;

/** ` ON CLUSTER …`, or nothing without a cluster. */
export const onClusterText = (clusterName: string | undefined): string =>
  clusterName === undefined ? '' : ` ON CLUSTER ${identifier(clusterName).text}`;

/**
 * The SQL that makes a user of a ClickHouse server. It contains a hash of the password only.
 * @param onCluster see `onClusterText`
 */
export function userStatements(
  user: ServerUser,
  secret: string,
  onCluster: string,
): UserStatements {
  const name = serverUserName(user);
  const quoted = identifier(name).text;
  const digest = createHash('sha256').update(passwordOf(secret, name)).digest('hex');
  const identified = `${quoted}${onCluster} IDENTIFIED WITH sha256_hash BY ${literal(digest).text}`;
  const grant = (right: string): string => `GRANT${onCluster} ${right} TO ${quoted}`;
  return {
    make: [`CREATE USER IF NOT EXISTS ${identified}`, `ALTER USER ${identified}`],
    grants: grantsOf(user.right, user.database).map((right) => {
      const source = /^READ ON (\w+)$/.exec(right)?.[1];
      return {
        statement: grant(right),
        before: source === undefined ? undefined : grant(`${source} ON *.*`),
      };
    }),
  };
}

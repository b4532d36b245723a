import type { UserRole } from '../../../contract/people/role.ts';
import type { StoredWorkspace, User } from '../../../ports/store/identity-store.ts';

/** Columns of the user and the workspace of a credential, of tables joined as `u` and `w`. */
export const ownerColumns = [
  'u.workspace_id',
  'u.email as user_email',
  'u.name as user_name',
  'u.password_hash as user_password_hash',
  'u.role as user_role',
  'u.created_at_ms as user_created_at_ms',
  'w.name as workspace_name',
  'w.organization_id as workspace_organization_id',
  'w.service_id as workspace_service_id',
  'w.database_name as workspace_database_name',
  'w.listed_databases as workspace_listed_databases',
  'w.created_at_ms as workspace_created_at_ms',
] as const;

export interface OwnerRow {
  user_id: string;
  user_email: string;
  user_name: string | null;
  user_password_hash: string | null;
  user_role: string;
  user_created_at_ms: number;
  workspace_id: string;
  workspace_name: string;
  workspace_organization_id: string;
  workspace_service_id: string;
  workspace_database_name: string;
  workspace_listed_databases: string;
  workspace_created_at_ms: number;
}

export function ownerOf(row: OwnerRow): { user: User; workspace: StoredWorkspace } {
  return {
    user: {
      id: row.user_id,
      workspaceId: row.workspace_id,
      email: row.user_email,
      name: row.user_name,
      passwordHash: row.user_password_hash,
      role: row.user_role as UserRole,
      createdAtMs: row.user_created_at_ms,
    },
    workspace: {
      id: row.workspace_id,
      organizationId: row.workspace_organization_id,
      serviceId: row.workspace_service_id,
      name: row.workspace_name,
      database: row.workspace_database_name,
      listedDatabases: databaseList(row.workspace_listed_databases),
      createdAtMs: row.workspace_created_at_ms,
    },
  };
}

interface WorkspaceRow {
  id: string;
  organization_id: string;
  service_id: string;
  name: string;
  database_name: string;
  listed_databases: string;
  created_at_ms: number;
}

export function workspace(row: WorkspaceRow): StoredWorkspace {
  return {
    id: row.id,
    organizationId: row.organization_id,
    serviceId: row.service_id,
    name: row.name,
    database: row.database_name,
    listedDatabases: databaseList(row.listed_databases),
    createdAtMs: row.created_at_ms,
  };
}

const databaseList = (text: string): string[] => JSON.parse(text) as string[];

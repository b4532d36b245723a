/** What pipes have done with each object of their source. */
export interface ObjectTables {
  pipe_objects: {
    workspace_id: string;
    pipe_id: string;
    name: string;
    source_partition: string;
    batch: string;
    etag: string;
    bytes: number;
    modified_at_ms: number;
    state: string;
    fingerprint: string;
    stored_rows: number;
    reason: string | null;
    tries: number;
    changed_at_ms: number;
  };
}

/** A value of a row: the field that names it in conditions, and a shorter name. */
export interface Value {
  name: string;
  label?: string;
  value: unknown;
}

/** Values whose names begin alike. */
export interface Branch {
  /** Parts of the names that all of them have, such as `http.request`. */
  title: string;
  values: Value[];
  branches: Branch[];
}

/**
 * Groups values by the parts of their labels: `http.method` and `http.route` stand below `http`. A
 * part that only one value has makes no branch.
 */
export function treeOf(values: readonly Value[], title = ''): Branch {
  const byPart = new Map<string, { value: Value; rest: string }[]>();
  for (const value of values) {
    const label = value.label ?? value.name;
    const dot = label.indexOf('.');
    const part = dot < 0 ? label : label.slice(0, dot);
    const rest = dot < 0 ? '' : label.slice(dot + 1);
    byPart.set(part, [...(byPart.get(part) ?? []), { value, rest }]);
  }
  const branch: Branch = { title, values: [], branches: [] };
  for (const [part, members] of byPart) {
    const own = members.filter(({ rest }) => rest === '');
    const below = members.filter(({ rest }) => rest !== '');
    branch.values.push(...own.map(({ value }) => ({ ...value, label: part })));
    if (below.length === 1) {
      branch.values.push(
        ...below.map(({ value, rest }) => ({ ...value, label: `${part}.${rest}` })),
      );
    } else if (below.length > 1) {
      const inner = treeOf(
        below.map(({ value, rest }) => ({ ...value, label: rest })),
        part,
      );
      branch.branches.push(joined(inner));
    }
  }
  return branch;
}

/** A branch with nothing but one branch is one branch of both names. */
function joined(branch: Branch): Branch {
  const [only, ...more] = branch.branches;
  return only && more.length === 0 && branch.values.length === 0
    ? { ...only, title: `${branch.title}.${only.title}` }
    : branch;
}

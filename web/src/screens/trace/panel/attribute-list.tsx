import { useRouter } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import type { Trace } from '../../../api/queries/trace.ts';
import { IconButton } from '../../../kit/button.tsx';
import { Menu, MenuItem } from '../../../kit/menu.tsx';
import { copy } from '../../../kit/state.tsx';
import { searchParams, spanFilters, valueFilter, type SpanSource } from '../model/search-links.ts';
import type { Attribute } from '../model/span-row.ts';
import panel from '../../../kit/panel.module.css';

interface AttributeListProps {
  title: string;
  /** Stands before a name to make the name of the field in conditions. */
  prefix: string;
  values: readonly Attribute[];
  trace: Trace;
  source: SpanSource | undefined;
}

/** Names and values, each with what can be done with it. */
export function AttributeList({ title, values, ...props }: AttributeListProps) {
  if (values.length === 0) {
    return null;
  }
  return (
    <section className={panel.group}>
      <h3 className={panel.groupTitle}>{title}</h3>
      <dl>
        {values.map((attribute) => (
          <Item key={attribute.name} {...attribute} {...props} />
        ))}
      </dl>
    </section>
  );
}

/** A longer value makes a URL that nobody can send. */
const testedMax = 1000;

type ItemProps = Attribute & Pick<AttributeListProps, 'prefix' | 'trace' | 'source'>;

function Item({ name, value, prefix, trace, source }: ItemProps) {
  const router = useRouter();
  const field = prefix + name;
  const isTestable = source !== undefined && value.length <= testedMax;
  const toSearch = (): void => {
    if (source) {
      const filters = [valueFilter(field, value)];
      void router.navigate({ to: '/search', search: searchParams(source, trace, filters) });
    }
  };
  const inTrace = (): void => {
    if (source) {
      const filters = spanFilters(source, trace.traceId, [valueFilter(field, value)]);
      void router.navigate({ to: '/search', search: searchParams(source, trace, filters) });
    }
  };
  return (
    <div className={panel.value}>
      <dt title={field}>{name}</dt>
      <dd>
        {value === '' ? <span className={panel.empty}>(empty)</span> : value}
        <span className={panel.actions}>
          <Menu
            align="end"
            trigger={
              <IconButton label={`More for ${name}`} size="small">
                <Ellipsis size={14} aria-hidden />
              </IconButton>
            }
          >
            <MenuItem disabled={!isTestable} onSelect={toSearch}>
              All spans with this value
            </MenuItem>
            <MenuItem disabled={!isTestable} onSelect={inTrace}>
              Spans of this trace with it
            </MenuItem>
            <MenuItem onSelect={() => void copy(value, 'Value')}>Copy value</MenuItem>
            <MenuItem onSelect={() => void copy(field, 'Name')}>Copy name</MenuItem>
          </Menu>
        </span>
      </dd>
    </div>
  );
}

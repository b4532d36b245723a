import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CircleAlert, Ellipsis, GitFork, ScrollText } from 'lucide-react';
import { sourcesQuery } from '../../../api/queries/sources.ts';
import { IconButton } from '../../../kit/button.tsx';
import { Menu, MenuItem } from '../../../kit/menu.tsx';
import { hasFailed, logsSearch, spansSearch } from '../links.ts';
import type { ServicesModel } from '../use-services.ts';

interface ServiceMenuProps {
  model: ServicesModel;
  service: string;
}

/** Leads to the rows of a service. */
export function ServiceMenu({ model, service }: ServiceMenuProps) {
  const navigate = useNavigate();
  const { data: sources = [] } = useQuery(sourcesQuery);
  const { source, params } = model;
  const logs = logsSearch(sources, service, params);
  const open = (search: object): void => void navigate({ to: '/search', search });
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label={`Rows of ${service === '' ? '(empty)' : service}`}>
          <Ellipsis size={16} aria-hidden />
        </IconButton>
      }
    >
      <MenuItem
        icon={<GitFork size={14} aria-hidden />}
        onSelect={() => open(spansSearch(source, service, params))}
      >
        Spans and traces
      </MenuItem>
      <MenuItem
        icon={<CircleAlert size={14} aria-hidden />}
        onSelect={() => open(spansSearch(source, service, params, [hasFailed(source)]))}
      >
        Spans with errors
      </MenuItem>
      {logs && (
        <MenuItem icon={<ScrollText size={14} aria-hidden />} onSelect={() => open(logs)}>
          Logs
        </MenuItem>
      )}
    </Menu>
  );
}

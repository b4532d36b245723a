import { Button } from '../../../kit/button.tsx';
import { chosenFilters, variableOf, type DashboardModel } from '../model.ts';
import { FilterPicker } from './filter-picker.tsx';
import type { FilteredDashboard } from './values.ts';
import styles from './filters.module.css';

interface FilterBarProps {
  model: DashboardModel;
  dashboard: FilteredDashboard;
}

/** The filters of the dashboard, and the condition that all its tiles have. */
export function FilterBar({ model, dashboard }: FilterBarProps) {
  const { filters, savedQuery } = dashboard;
  const chosen = chosenFilters(dashboard, model.params);
  if (filters.length === 0 && savedQuery === '') {
    return null;
  }
  return (
    <div className={styles.bar} role="group" aria-label="Filters">
      {filters.map((filter) => (
        <FilterPicker
          key={variableOf(filter)}
          model={model}
          dashboard={dashboard}
          filter={filter}
        />
      ))}
      {chosen.length > 0 && (
        <Button
          size="small"
          look="plain"
          onClick={() =>
            model.ask(Object.fromEntries(chosen.map((one) => [variableOf(one), undefined])))
          }
        >
          Clear filters
        </Button>
      )}
      {savedQuery !== '' && (
        <span className={styles.saved}>
          Only rows with <code>{savedQuery}</code>
        </span>
      )}
    </div>
  );
}

import { useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { Choices, Toggle } from '../../kit/choices.tsx';
import { Listbox } from '../../kit/listbox.tsx';
import type { Prefs } from '../../view/prefs.ts';
import { themes } from '../../view/theme.ts';
import { usePref } from '../../view/use-pref.ts';
import { formatTime, localZone, zoneLabel, zoneName, zones } from '../../view/zone.ts';
import { PageHead } from './page-head.tsx';
import styles from './settings.module.css';

const densities: readonly { value: Prefs['density']; label: string }[] = [
  { value: 'compact', label: 'Compact' },
  { value: 'normal', label: 'Normal' },
  { value: 'roomy', label: 'Roomy' },
];

const places: readonly { value: Prefs['openRows']; label: string }[] = [
  { value: 'beside', label: 'Beside the table' },
  { value: 'inline', label: 'In the list' },
];

/** How the interface looks and works for the person in this browser. */
export function Preferences() {
  const [theme, setTheme] = usePref('theme');
  const [density, setDensity] = usePref('density');
  const [openRows, setOpenRows] = usePref('openRows');
  const [letterKeys, setLetterKeys] = usePref('letterKeys');
  return (
    <>
      <PageHead
        title="Preferences"
        about="They apply to this browser only. A change takes effect at once."
      />
      <div className={styles.fields}>
        <Choices label="Theme" value={theme} choices={themes} onChange={setTheme} />
        <Choices
          label="Row height"
          hint="Of tables with many rows, such as search. On touch screens rows are always roomy."
          value={density}
          choices={densities}
          onChange={setDensity}
        />
        <Choices
          label="Open rows of search"
          hint="On phones an open row fills the screen."
          value={openRows}
          choices={places}
          onChange={setOpenRows}
        />
        <ZonePreference />
        <Toggle
          label="Single-letter shortcuts"
          hint="Such as / for the query and ? for the list of shortcuts. Turn them off if you use speech input."
          isOn={letterKeys}
          onChange={setLetterKeys}
        />
      </div>
    </>
  );
}

function ZonePreference() {
  const [zone, setZone] = usePref('zone');
  const [nowMs] = useState(() => Date.now());
  const choices = [
    { value: 'local', label: `This browser: ${localZone()}`, hint: zoneLabel(localZone()) },
    { value: 'UTC', label: 'UTC' },
    ...zones().map(({ zone: name, title }) => ({
      value: name,
      label: title,
      hint: zoneLabel(name),
    })),
  ];
  return (
    <div className={styles.zone}>
      <h2 className={styles.label}>Time zone</h2>
      <div className={styles.buttons}>
        <Listbox label="Time zone" value={zone} choices={choices} onChange={setZone} />
        {zone !== 'local' && <Button onClick={() => setZone('local')}>Use this browser’s</Button>}
      </div>
      <p className={styles.hint}>
        Every time on screen is in this zone. Now it is{' '}
        {formatTime(nowMs, zoneName(zone), 'minute')} {zoneLabel(zoneName(zone))}.
      </p>
    </div>
  );
}

import { Dialog } from '../kit/dialog.tsx';
import { Kbd } from '../kit/text.tsx';
import { keyLabel } from '../view/keys.ts';
import { screens } from './screens.ts';
import styles from './help.module.css';

const groups: { title: string; keys: [stroke: string, meaning: string][] }[] = [
  {
    title: 'Everywhere',
    keys: [
      ['mod+k', 'Commands'],
      ['?', 'This list'],
      ...screens.map(({ letter, label }): [string, string] => [`g ${letter}`, `Go to ${label}`]),
      ['mod+Enter', 'Send a form'],
      ['Escape', 'Close, or leave a field'],
    ],
  },
  {
    title: 'Search',
    keys: [
      ['/', 'Edit the query'],
      ['ArrowDown', 'In an empty query: earlier ones'],
      ['mod+Enter', 'Run'],
      ['t', 'Change the time range'],
      ['[', 'Earlier range'],
      [']', 'Later range'],
      ['-', 'Zoom out'],
      ['r', 'Run again'],
      ['l', 'Follow live'],
      [' ', 'Pause the live rows, or go on'],
      ['\\', 'Show or hide facets'],
    ],
  },
  {
    title: 'Explore and metrics',
    keys: [
      ['/', 'Find a metric'],
      ['t', 'Change the time range'],
      ['[', 'Earlier range'],
      [']', 'Later range'],
      ['-', 'Zoom out'],
      ['r', 'Run again'],
    ],
  },
  {
    title: 'Rows',
    keys: [
      ['j', 'Next row'],
      ['k', 'Previous row'],
      ['Enter', 'Open the row'],
      ['x', 'Select the row'],
      ['shift+ArrowDown', 'Select rows one after the other'],
      ['c', 'Copy the row as text'],
      ['shift+c', 'Copy the row as JSON'],
      ['f', 'Only the value of the cell'],
      ['shift+f', 'Exclude the value of the cell'],
      ['w', 'Wrap the cell'],
      ['shift+w', 'Wrap all lines'],
      ['o', 'Open the trace'],
      ['b', 'Rows before and after'],
    ],
  },
  {
    title: 'Trace',
    keys: [
      ['j', 'Next span'],
      ['k', 'Previous span'],
      ['ArrowRight', 'Open the spans below, or go there'],
      ['ArrowLeft', 'Close them, or go to the parent'],
      ['Enter', 'Open the span'],
      ['l', 'Logs of the open span'],
      ['n', 'Next error'],
      ['shift+n', 'Previous error'],
      ['p', 'Only the critical path'],
      ['+', 'Zoom in'],
      ['-', 'Zoom out'],
      ['z', 'Zoom to the span'],
      ['0', 'Whole trace'],
      ['[', 'Earlier'],
      [']', 'Later'],
    ],
  },
  {
    title: 'Alerts',
    keys: [
      ['/', 'Find an alert'],
      ['j', 'Next alert or window'],
      ['k', 'Previous alert or window'],
      ['Enter', 'Open the alert, or say why'],
      ['s', 'Silence'],
      ['a', 'Acknowledge'],
      ['e', 'Edit the alert'],
      ['o', 'Open the rows of the window'],
    ],
  },
  {
    title: 'Pipes',
    keys: [
      ['/', 'Find a pipe'],
      ['j', 'Next pipe'],
      ['k', 'Previous pipe'],
      ['Enter', 'Open the pipe'],
      ['x', 'Select the pipe'],
      ['s', 'Start the pipe, or those selected'],
      ['shift+s', 'Stop the pipe, or those selected'],
    ],
  },
  {
    title: 'Health',
    keys: [['r', 'Refresh']],
  },
  {
    title: 'Audit trail',
    keys: [
      ['t', 'Change the time range'],
      ['r', 'Read again'],
    ],
  },
  {
    title: 'Dashboard',
    keys: [
      ['t', 'Change the time range'],
      ['[', 'Earlier range'],
      [']', 'Later range'],
      ['-', 'Zoom out'],
      ['r', 'Refresh'],
      ['v', 'Full screen'],
      ['e', 'Edit'],
      ['mod+s', 'Save'],
      ['ArrowRight', 'Move the tile'],
      ['shift+ArrowRight', 'Resize the tile'],
      ['Enter', 'Edit the tile'],
      ['d', 'Duplicate the tile'],
      ['mod+c', 'Copy the tile'],
      ['Delete', 'Remove the tile'],
      ['ArrowRight', 'In a chart: the next value'],
      ['shift+ArrowRight', 'In a chart: select a range, then Enter'],
    ],
  },
];

/** Every shortcut, by where it works. */
export function Help({ open, onOpenChange }: { open: boolean; onOpenChange(open: boolean): void }) {
  return (
    <Dialog title="Keyboard shortcuts" look="wide" open={open} onOpenChange={onOpenChange}>
      {/* Longer than small screens: the keyboard scrolls it. */}
      <div className={styles.groups} role="group" aria-label="Shortcuts" tabIndex={0}>
        {groups.map(({ title, keys }) => (
          <section key={title}>
            <h3 className={styles.title}>{title}</h3>
            <dl className={styles.keys}>
              {keys.map(([stroke, meaning]) => (
                <div key={stroke} className={styles.key}>
                  <dt>{meaning}</dt>
                  <dd>
                    <Kbd>{keyLabel(stroke)}</Kbd>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

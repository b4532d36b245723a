import { useId, type ComponentProps } from 'react';
import { TextField as KitTextField } from '../../kit/text-field.tsx';

interface ChoiceFieldProps extends Omit<ComponentProps<typeof KitTextField>, 'list'> {
  /** Values to choose from; any other is allowed, too. */
  choices: readonly string[];
}

const choicesMax = 500;

/** A text with values that the browser offers. */
export function ChoiceField({ choices, ...props }: ChoiceFieldProps) {
  const id = useId();
  return (
    <>
      <KitTextField {...props} list={id} />
      <datalist id={id}>
        {choices.slice(0, choicesMax).map((choice) => (
          <option key={choice} value={choice} />
        ))}
      </datalist>
    </>
  );
}

import { Link } from '@tanstack/react-router';
import { compact } from '../../../view/url-state.ts';
import type { SharedParams } from '../params.ts';

/** A service without a name cannot be opened. */
export function ServiceLink({ name }: { name: string }) {
  return name === '' ? (
    <span>(empty)</span>
  ) : (
    <Link
      to="/services"
      search={({ source, from, to }: SharedParams) => compact({ source, from, to, service: name })}
    >
      {name}
    </Link>
  );
}

import { Component, Suspense, type ReactNode } from 'react';

interface LateProps {
  /** Takes their place if their code cannot be loaded. */
  plain: ReactNode;
  /** Takes their place until it is loaded; absent: `plain`. */
  meanwhile?: ReactNode;
  children: ReactNode;
}

interface LateState {
  isMissing: boolean;
}

/**
 * Children whose code is loaded late (React's `lazy`). Without it the page still works: the network
 * may be cut, or the file gone since the server was upgraded.
 */
export class Late extends Component<LateProps, LateState> {
  override state: LateState = { isMissing: false };

  static getDerivedStateFromError(): LateState {
    return { isMissing: true };
  }

  override render() {
    const { plain, meanwhile = plain, children } = this.props;
    return this.state.isMissing ? plain : <Suspense fallback={meanwhile}>{children}</Suspense>;
  }
}

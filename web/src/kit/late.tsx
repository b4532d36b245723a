import { Component, Suspense, type ReactNode } from 'react';

interface LateProps {
  /** Takes their place if their code cannot be loaded, or fails. */
  plain: ReactNode;
  /** Takes their place until it is loaded; absent: `plain`. */
  meanwhile?: ReactNode;
  children: ReactNode;
}

interface LateState {
  isMissing: boolean;
}

/**
 * Children whose code is loaded late (React's `lazy`). The page works without that code: the network
 * may be cut, or the file may be gone since the server was upgraded.
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

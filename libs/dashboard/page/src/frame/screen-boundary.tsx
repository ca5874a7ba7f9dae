import { Component, type ReactNode } from 'react';
import { Problem } from '../parts/problem';
import { TEXTS } from './texts';

interface ScreenBoundaryProps {
  title: string;
  children: ReactNode;
}

/** Isolates a screen that fails, or whose chunk cannot be loaded, from the others. */
export class ScreenBoundary extends Component<ScreenBoundaryProps, { error: unknown }> {
  override state = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return (
      <Problem
        what={TEXTS.screenFailed(this.props.title)}
        error={this.state.error}
        meaning={TEXTS.screenFailedMeaning}
        onRetry={() => location.reload()}
      />
    );
  }
}

import { Component, type ReactNode } from 'react';
import { Problem } from '../parts/problem';

interface ScreenBoundaryProps {
  title: string;
  children: ReactNode;
}

/** Keeps a screen that fails, or whose chunk cannot be loaded, from taking the others with it. */
export class ScreenBoundary extends Component<ScreenBoundaryProps, { error: unknown }> {
  override state = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return (
      <Problem
        what={`${this.props.title} could not be shown`}
        error={this.state.error}
        meaning="The host may have been updated meanwhile: load the page anew. Nothing of your emails is touched by this."
        onRetry={() => location.reload()}
      />
    );
  }
}

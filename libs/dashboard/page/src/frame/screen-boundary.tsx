import { Component, type ReactNode } from 'react';
import { Problem } from '../parts/problem';

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
        what={`${this.props.title} could not be shown`}
        error={this.state.error}
        meaning="The host may have been updated: reload the page. Your emails are not affected."
        onRetry={() => location.reload()}
      />
    );
  }
}

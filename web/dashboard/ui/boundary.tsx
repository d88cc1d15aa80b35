import { Component, type ReactNode } from 'react';

/** What is shown when a part of ours fails: never a blank page. In English, since the texts may be what failed. */
export class Boundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    if (!this.state.error) return this.props.children;
    return (
      <main className="lonely">
        <div className="ticket-sheet">
          <h1>Something went wrong</h1>
          <p>{this.state.error.message}</p>
          <button type="button" className="plain-button" onClick={() => window.location.reload()}>
            Reload
          </button>
        </div>
      </main>
    );
  }
}

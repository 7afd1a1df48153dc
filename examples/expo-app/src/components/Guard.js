import { Component } from 'react';
import { Text } from 'react-native';

import { reportError } from '../health';
import { Card } from './Card';

/** Keeps the rest of the screen alive when one part of it fails to render, and reports the failure. */
export class Guard extends Component {
  state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  componentDidCatch(error, info) {
    reportError(error, { componentStack: info.componentStack });
  }

  render() {
    if (!this.state.failed) {
      return this.props.children;
    }
    return (
      <Card title={this.props.title}>
        <Text testID="guard-message">This part of the app has failed. The failure was reported.</Text>
      </Card>
    );
  }
}

import { Empty } from '../../parts/empty';

export default function MetricsScreen() {
  return <Empty title="Metrics" />;
}

import { Empty } from '../../parts/empty';

export default function TemplatesScreen() {
  return <Empty title="Templates" />;
}

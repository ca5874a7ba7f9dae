import { useParams } from 'wouter';
import { ContentsHidden, OnlyFor } from '../../parts/only-for';
import { TemplateEditor } from './template-editor';
import { TemplateList } from './template-list';
import './templates.css';

/** Templates of emails. */
export default function TemplatesScreen() {
  const { id } = useParams<{ id?: string }>();
  if (id === undefined) return <TemplateList />;
  return (
    <OnlyFor needs="support" else={<ContentsHidden />}>
      <TemplateEditor key={id} id={id} />
    </OnlyFor>
  );
}

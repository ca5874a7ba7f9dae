import { useParams } from 'wouter';
import { TemplateEditor } from './template-editor';
import { TemplateList } from './template-list';
import './templates.css';

/** Templates of emails. */
export default function TemplatesScreen() {
  const { id } = useParams<{ id?: string }>();
  return id === undefined ? <TemplateList /> : <TemplateEditor key={id} id={id} />;
}

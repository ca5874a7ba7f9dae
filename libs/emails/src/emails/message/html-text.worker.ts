import { doTasks } from '../../shared/work/thread-program.js';
import { htmlToText } from './html-text.js';

doTasks((html: string) => htmlToText(html));

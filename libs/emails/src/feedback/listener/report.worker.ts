import { doTasks } from '../../shared/work/thread-program.js';
import { reportWork } from './report-work.js';

doTasks(reportWork);

import type { ChildProcess } from 'node:child_process';

export declare function tie<Child extends ChildProcess>(child: Child): Child;

export declare function endTied(): void;

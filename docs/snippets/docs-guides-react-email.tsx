declare function Welcome(props: { name: string }): import('react').JSX.Element;

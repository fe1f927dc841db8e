export function redirectTls(port: number, trusted?: boolean): () => void;
